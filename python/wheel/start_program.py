#!python
"""The command `octavo`, where pip puts commands: starts the program that the package holds, wherever the package is."""

import importlib.util
import os
import sys

package = importlib.util.find_spec("octavo")  # finds, but does not import it
program = os.path.join(os.path.dirname(package.origin), "bin", "octavo")
os.execv(program, [program, *sys.argv[1:]])
