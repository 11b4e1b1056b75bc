// How many moves a second boardgame.io makes with its store in memory: `node moves.js SECONDS`.
//
// A server process of its own, 64 matches, one client each over its own transport; a client moves again as soon as the
// server has told it of its last move. The rules do as little as rules can.
'use strict';
const { fork } = require('node:child_process');

const MATCHES = 64;
const game = {
  name: 'least',
  setup: () => ({ at: [6, 7, 12, 12], moved: 0 }),
  moves: {
    go: {
      // The server alone moves: nothing is foreseen by the client.
      client: false,
      move: ({ G }, steps) => {
        G.at[G.moved % 4] = (G.at[G.moved % 4] + steps) % 84;
        G.moved += 1;
      },
    },
  },
};

if (process.send) serve();
else measure(Number(process.argv[2] || 4) * 1000);

function serve() {
  console.log = () => {};
  console.info = () => {};
  const { Server, Origins } = require('boardgame.io/server');
  Server({ games: [game], origins: [Origins.LOCALHOST] })
    .run(0)
    .then(({ appServer }) => process.send(appServer.address().port));
}

function measure(length) {
  const server = fork(__filename, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  server.on('message', (port) => {
    const { Client } = require('boardgame.io/client');
    const { SocketIO } = require('boardgame.io/multiplayer');
    let moves = 0;
    for (let match = 0; match < MATCHES; match += 1) {
      const multiplayer = SocketIO({ server: `http://localhost:${port}` });
      const client = Client({ game, matchID: `match-${match}`, playerID: '0', multiplayer, debug: false });
      let seen = -1;
      client.subscribe((state) => {
        if (!state || !state.isConnected || state._stateID <= seen) return;
        seen = state._stateID;
        moves += 1;
        client.moves.go(5);
      });
      client.start();
    }
    // The first second warms up.
    setTimeout(() => {
      moves = 0;
      setTimeout(() => {
        console.log(Math.round((moves * 1000) / length));
        server.kill();
        process.exit(0);
      }, length);
    }, 1000);
  });
}
