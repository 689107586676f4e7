"""Flowcharts in Mermaid as nested lists. GitHub draws them; the site needs no script for them."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ARROW = re.compile(r"\s*(?:-->|-\..*?->)\s*")
BOX = re.compile(r'(?:subgraph )?(\w+)(?:\["(.*?)"\])?')


@dataclass
class Box:
    """A box, or a group of boxes, with the names of those that its arrows lead to."""

    label: str
    targets: list[str] = field(default_factory=list)
    inside: list["Box"] = field(default_factory=list)


def read(lines: list[str]) -> Box:
    """The chart as one group. A box lies in the group in which it gets its label.

    >>> read(["flowchart TB", 'subgraph a["A"]', 'b["B<br/>text"] --> c', "end", "a -.-> c"]).inside
    [Box(label='A', targets=['c'], inside=[Box(label='B: text', targets=['c'], inside=[])])]
    """
    boxes: dict[str, Box] = {}
    groups = [Box("")]
    for line in (line.strip() for line in lines[1:]):
        if line == "end":
            groups.pop()
            continue
        if line.startswith("direction "):
            continue
        names = []
        for part in ARROW.split(line):
            match = BOX.fullmatch(part)
            if match is None:
                raise ValueError(f"not a box of a flowchart: {part}")
            name, label = match.groups()
            box = boxes.setdefault(name, Box(name))
            if label:
                box.label = label.replace("<br/>", ": ", 1).replace("<br/>", " ")
                groups[-1].inside.append(box)
            names.append(name)
        for source, target in pairwise(names):
            boxes[source].targets.append(target)
        if line.startswith("subgraph "):
            groups.append(boxes[names[0]])
    return groups[0]


def as_list(boxes: list[Box]) -> nodes.bullet_list:
    items = []
    for box in boxes:
        item = nodes.list_item("", nodes.paragraph(text=box.label))
        if box.targets:
            item[0] += nodes.emphasis(text=f" → {', '.join(box.targets)}")
        if box.inside:
            item += as_list(box.inside)
        items.append(item)
    return nodes.bullet_list("", *items)


class Flowchart(SphinxDirective):
    """A fenced block in Mermaid; what is not a flowchart stays as it is written."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        lines = [line for line in self.content if line.strip()]
        if lines[0].startswith("flowchart "):
            return [as_list(read(lines).inside)]
        return [nodes.literal_block(text="\n".join(self.content))]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("mermaid", Flowchart)
    return {"parallel_read_safe": True}
