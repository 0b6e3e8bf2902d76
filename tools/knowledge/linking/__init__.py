"""From a keyword, in English or Chinese, to the nodes that it names."""
