"""Draws the results of a survey as SVG. GET /surveys lists the ids: python3 chart-survey.py ID > chart.svg"""

from html import escape

from rostra_api import get_json, read_argument

LINE_HEIGHT = 24
LABEL_WIDTH = 320
BAR_WIDTH = 400


def compute_total(question, people):
    """Returns the number that is 100 %. If people may choose several options, shares are shares of the people."""
    answers = sum(option["responseCount"] for option in question["options"])
    return people if question["questionType"] == "multiple_choice" or answers > people else answers


def draw_text(x, line, text, style=""):
    return f'<text x="{x}" y="{line * LINE_HEIGHT - 7}" {style}>{escape(text)}</text>'


survey = get_json(f"surveys/{read_argument('ID')}/results")["data"]
people = survey["totalResponses"]
shapes = [draw_text(10, 1, f"{survey['title']} ({people} responses)", 'font-weight="bold"')]
line = 1
for question in survey["questions"]:
    line += 2
    shapes.append(draw_text(10, line, question["questionText"]))
    total = compute_total(question, people)
    for option in question["options"]:
        line += 1
        share = option["responseCount"] / total if total else 0
        top = (line - 1) * LINE_HEIGHT
        shapes += [
            draw_text(LABEL_WIDTH, line, option["optionText"], 'text-anchor="end"'),
            f'<rect x="{LABEL_WIDTH + 10}" y="{top}" width="{share * BAR_WIDTH:.1f}" height="{LINE_HEIGHT - 4}"/>',
            draw_text(
                LABEL_WIDTH + 20 + share * BAR_WIDTH, line, f"{100 * share:.0f} % ({option['responseCount']})"
            ),
        ]

print(
    f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABEL_WIDTH + BAR_WIDTH + 120}"'
    f' height="{(line + 1) * LINE_HEIGHT}" font-family="sans-serif" font-size="14">'
)
print('<rect width="100%" height="100%" fill="white"/>')
print('<g fill="#1f5f8b">', *shapes, "</g>", "</svg>", sep="\n")
