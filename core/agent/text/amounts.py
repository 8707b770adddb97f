"""The words by which one asks for an amount, and those by which a text says what a length is of. The one list of them.

How a question is built around them is read where it is read (`sought`, `following`).
"""

from dataclasses import dataclass

_TABLE = """
weight | mass | heavy | weight, weights, mass, masses, weigh |
thickness | length | thick | thickness | wall, thin
width | length | wide | width | wider
height | length | high, tall | height |
depth | length | deep | depth |
diameter | length | | diameter, diameters | outside, od
radius | length | | radius | radii
wheelbase | length | | wheelbase |
distance | length | | distance, clearance, gap | apart, from
deflection | length | | | deflection, deflect, deflects
track | length | | | track
area | length | | | area
chord | length | | | chord
length | length | | length, lengths | long
size | length area volume angle | far, big, large, small | size, dimension, dimensions |
duration | time months length laps | long | duration |
speed | speed rotation | fast | speed, speeds |
age | months age | old | age |
sound level | sound | loud | sound, noise |
voltage | voltage | | voltage, voltages |
pressure | pressure | | pressure, pressures |
temperature | temperature | hot, cold | temperature, temperatures |
current | current | | current, currents |
power output | power | | power |
torque | torque | | torque |
flow | flow | | flow |
date | date | | date, dates |
deadline | date time months | | deadline, deadlines |
sum of money | money | | \
fee, fees, fine, fines, deposit, price, prize money, salary, salaries, budget, cost, costs, cost cap, budget cap, pay |
"""


@dataclass(frozen=True, slots=True)
class AmountWords:
    """What may be asked for: its `name`, the kinds of quantity that tell it, and its words.

    `how` stand behind "how" ("heavy"), `nouns` behind "what is the"; `said` are further words of a text about it.
    """

    name: str
    kinds: frozenset[str]
    adjectives: tuple[str, ...]
    nouns: tuple[str, ...]
    related_words: tuple[str, ...]

    @property
    def asking_words(self) -> tuple[str, ...]:
        """The words by which one asks for it."""
        return self.adjectives + self.nouns


def _read(line: str) -> AmountWords:
    name, kinds, *columns = (column.strip() for column in line.split("|"))
    how, nouns, said = (tuple(filter(None, column.split(", "))) for column in columns)
    return AmountWords(name, frozenset(kinds.split()), how, nouns, said)


AMOUNTS = tuple(map(_read, _TABLE.strip().splitlines()))
LENGTH_WORDS = tuple(
    frozenset(one.asking_words + one.related_words) for one in AMOUNTS if one.kinds == {"length"}
)
"""Words for what a length may be of; two limits of different ones are not to be held against one value."""
AMOUNT_ADJECTIVES = tuple(dict.fromkeys(word for one in AMOUNTS for word in one.adjectives))
AMOUNT_NOUNS = tuple(dict.fromkeys(word for one in AMOUNTS for word in one.nouns))
