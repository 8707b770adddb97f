"""The language models: their protocol, Claude (the Messages API), an offline and a scripted one."""
