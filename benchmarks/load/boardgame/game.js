// A game of about the size of ours: the same fields at the table, a hidden hand for each seat. Its one
// move checks next to nothing, in its favour.
const PALACES = 6;
const SEATS = 4;
const rows = (count, length, value) => Array.from({ length: count }, () => Array(length).fill(value));

module.exports = {
  name: "palaces",
  minPlayers: SEATS,
  maxPlayers: SEATS,
  setup: () => ({
    guards: rows(PALACES, SEATS + 1, 1),
    thieves: rows(PALACES, SEATS, 0),
    chests: Array(PALACES).fill(4),
    discard: Array(PALACES + 1).fill(0),
    dancers: 12,
    stock: Array(SEATS).fill(12),
    loot: Array(SEATS).fill(0),
    hands: rows(SEATS, PALACES + 1, 1),
    deck: Array(PALACES).fill(8),
  }),
  playerView: ({ G, playerID }) => {
    const { deck, hands, ...shown } = G;
    return { ...shown, handSizes: hands.map((hand) => hand.length), hand: hands[playerID] ?? null };
  },
  moves: {
    smuggle: ({ G, playerID }, palace) => {
      if (!(palace in G.thieves)) return "INVALID_MOVE";
      G.thieves[palace][playerID] = (G.thieves[palace][playerID] + 1) % 8;
      G.stock[playerID] = (G.stock[playerID] + 11) % 12;
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
};
