"""What pikepdf finds in a PDF file, as JSON: the boxes of each page, the lines and colours of its content, the fonts of the file and whether
they are embedded, and the keys that stand in any dictionary of it."""

import json
import math
import sys

import pikepdf

FONTS = ("/Type1", "/MMType1", "/TrueType", "/CIDFontType0", "/CIDFontType2")
FILES = ("/FontFile", "/FontFile2", "/FontFile3")
IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def then(one, two):
    a, b, c, d, e, f = one
    g, h, i, j, k, m = two
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def content(page):
    """The thinnest line in points, the grays of all that is painted, and the operators that printers refuse."""
    matrix, width, gray, stack = IDENTITY, 1.0, 0.0, []
    thinnest, grays, refused = math.inf, set(), set()
    for operands, operator in pikepdf.parse_content_stream(page):
        name = str(operator)
        if name == "q":
            stack.append((matrix, width, gray))
        elif name == "Q":
            matrix, width, gray = stack.pop()
        elif name == "cm":
            matrix = then(tuple(map(float, operands)), matrix)
        elif name == "w":
            width = float(operands[0])
        elif name in ("g", "G"):
            gray = float(operands[0])
        elif name in ("S", "s", "B", "b", "B*", "b*"):
            thinnest = min(thinnest, width * math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])))
            grays.add(gray)
        elif name in ("f", "F", "f*", "Tj", "TJ"):
            grays.add(gray)
        elif name in ("rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN", "gs", "sh", "Do", "BI"):
            refused.add(name)
    return {"thinnest": thinnest if math.isfinite(thinnest) else None, "grays": sorted(grays), "refused": sorted(refused)}


def boxes(page):
    names = {"media": "/MediaBox", "bleed": "/BleedBox", "trim": "/TrimBox"}
    found = {short: [float(number) for number in page.obj[name]] for short, name in names.items() if name in page.obj}
    return found | {"turned": "/Rotate" in page.obj or "/UserUnit" in page.obj, **content(page)}


def main():
    keys, fonts = set(), {}
    with pikepdf.open(sys.argv[1]) as pdf:
        def look(thing):
            if isinstance(thing, pikepdf.Array):
                for item in thing:
                    look(item)
            elif isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
                for key, value in thing.items():
                    keys.add(key)
                    # Objects of their own are looked at once, as members of the list of all objects.
                    if not getattr(value, "is_indirect", False):
                        look(value)
                if "/BaseFont" in thing and thing.get("/Subtype") in FONTS:
                    descriptor = thing.get("/FontDescriptor", {})
                    fonts[str(thing.BaseFont)] = any(name in descriptor for name in FILES)

        for thing in pdf.objects:
            look(thing)
        look(pdf.trailer)
        intents = [str(intent.S) for intent in pdf.Root.get("/OutputIntents", [])]
        pages = [boxes(page) for page in pdf.pages]
        problems = pdf.check_pdf_syntax() if hasattr(pdf, "check_pdf_syntax") else pdf.check()
    result = {"pages": pages, "fonts": fonts, "keys": sorted(keys), "intents": intents, "encrypted": pdf.is_encrypted, "problems": problems}
    print(json.dumps(result))


main()
