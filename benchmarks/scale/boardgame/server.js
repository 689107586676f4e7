// One of several of boardgame.io's servers: state in PostgreSQL, updates over Redis.
// Arguments: its port, the folder of PostgreSQL's socket, Redis's port.
const { Server, Origins, SocketIO } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");
const { RedisPubSub } = require("@boardgame.io/redis-pubsub");
const redis = require("redis");
const game = require("../../load/boardgame/game");

const [port, host, bus] = process.argv.slice(2);
const connect = () => redis.createClient({ host: "127.0.0.1", port: Number(bus) });

Server({
  games: [game],
  origins: [Origins.LOCALHOST],
  db: new PostgresStore({ database: "soak", username: "postgres", host, logging: false }),
  transport: new SocketIO({ pubSub: new RedisPubSub(connect(), connect()) }),
}).run(Number(port));
