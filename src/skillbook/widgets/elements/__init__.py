"""The elements that widgets are made of: frame, controls, lists, bars, a text editor, forms, long work."""
