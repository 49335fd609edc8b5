# The gradient of a Stan model by BridgeStan, by the protocol of child/README.md, as stan.R gives it. It is read from
# standard input, behind it the model's text and its data. `source` is standard input, and `kept`, `size` and `arrays`
# are set.
import json
import math
import os
import re
import shutil
import struct
import sys
import tempfile


def fail(text):
    sys.stderr.write("\nstan: " + " ".join(text.split()) + "\n")
    sys.exit(1)


def numbers(n):
    return struct.unpack("<%dd" % n, source.read(8 * n))


def array(dims):  # whose last index runs first; an int of Stan's is written as one
    if dims:
        return [array(dims[1:]) for _ in range(dims[0])]
    x, = numbers(1)
    return int(x) if x.is_integer() and abs(x) < 1 << 31 else x


text = source.read(size)
data = {}
for part in filter(None, arrays.split(";")):
    name, *dims = re.split("[ ,]", part)
    data[name] = array([int(n) for n in dims])
try:
    import bridgestan
    import numpy
except ImportError:
    fail("absent")

old = os.path.exists(kept)
if not old:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.stan")
        with open(path, "wb") as file:
            file.write(text)
        try:
            part = "%s.%d" % (kept, os.getpid())
            shutil.move(str(bridgestan.compile_model(path)), part)
            os.replace(part, kept)
        except Exception as e:
            sys.stderr.write(str(e))
            said = re.search(r"error in '.*?', (line \d+).*?-{9,}.*?-{9,}\s*(.*?)\s*(\n\n|\nmake|$)", str(e), re.S)
            fail("%s: %s" % said.group(1, 2) if said else "bridgestan cannot compile it, for which it needs a C++ "
                 "compiler and make: exec.log in the cache folder says why")
try:
    model = bridgestan.StanModel(kept, json.dumps(data))
except (AttributeError, OSError):
    fail("stale")
except RuntimeError as e:
    said, at = re.sub(r".*?Exception: |processing stage=[^;]*; | *\(in '.*", "", str(e)), re.search(r"line \d+", str(e))
    fail(at.group() + ": " + said if at else said)
if old and "%d.%d.%d" % tuple(model.model_version()) != bridgestan.__version__:
    fail("stale")

dim = model.param_unc_num()
if dim == 0:
    fail("the model has no parameters")
steps, names = model.param_unc_names(), model.param_names()


def parts(name):
    return re.split("[.:]", name)


# As many parameters are shown as are stepped: of a simplex all but the last, of a matrix those below the diagonal.
shown = []
for name in dict.fromkeys(parts(n)[0] for n in names):
    every = [i for i, n in enumerate(names) if parts(n)[0] == name]
    n = sum(parts(s)[0] == name for s in steps)
    some = [every, [i for i in every if names[i] in steps]]
    if len(parts(names[every[0]])) > 2:
        at = {i: [int(k) for k in parts(names[i])[-2:]] for i in every}
        some += [[i for i in every if at[i][0] > at[i][1]], [i for i in every if at[i][0] >= at[i][1]]]
    fits = [s for s in some if len(s) == n]
    if not fits:
        fail("parameter " + name + " is of a type that the program cannot show")
    shown += fits[0]

told = [re.sub(r"^([^.]*)\.(\d+)$", r"\1[\2]", names[i]) for i in shown]
hello = {"psgld": 1, "dim": dim, "log_density": True, "repeats": True, "scale": True}
if dim <= 1000 and all(len(name) <= 40 for name in told):
    hello["names"] = told
to = os.fdopen(3, "wb")
to.write(json.dumps(hello).encode() + b"\n")
to.flush()


def answer(kind, x):
    if kind == -1:
        seen = model.param_constrain(x)
        return [0] + [float(seen[i]) for i in shown]
    if kind == -2:
        return [0, *map(float, model.param_unconstrain(x))] if len(names) == dim else None
    density, gradient = model.log_density_gradient(x)
    return [float(density), *map(float, gradient)]


while True:
    asked = source.read(8 * (1 + dim))
    if len(asked) < 8 * (1 + dim):
        break
    kind, *x = struct.unpack("<%dd" % (1 + dim), asked)
    try:
        given = answer(kind, numpy.array(x))
    except (RuntimeError, ValueError):
        given = None
    if given is None or not math.isfinite(sum(given)):
        given = [-math.inf] + [math.nan] * dim
    to.write(struct.pack("<%dd" % (2 + dim), 1 + dim, *given))
    to.flush()
