"""The language models: their protocol, Claude over the Messages API, an offline and a scripted one."""
