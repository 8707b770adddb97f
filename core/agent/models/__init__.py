"""The language models: what the loop asks of one, Claude over the Messages API, the offline one, and a scripted one."""
