"""Prints the mean processor time of PyMuPDF for the text of a PDF file, in ms: text.py FILE…"""

import statistics
import sys
import time

import pymupdf


def read(path):
    begun = time.process_time()
    with pymupdf.open(path) as document:
        text = "".join(page.get_text() for page in document)
    assert text
    return 1000 * (time.process_time() - begun)


read(sys.argv[1])  # loads the library
print(statistics.mean(read(path) for path in sys.argv[1:]))
