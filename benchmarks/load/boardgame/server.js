// boardgame.io's own server, in memory.
const { Server, Origins } = require("boardgame.io/server");
const game = require("./game");

Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
