// Measures how many moves a second boardgame.io makes with its store in memory: `node moves.js SECONDS`.
//
// The server has its own process and 64 matches. Each match has one client, which uses boardgame.io's transport and
// moves again as soon as its last move comes back from the server. The rules of the game do as little as possible.
'use strict';
const { fork } = require('node:child_process');

const MATCHES = 64;
const game = {
  name: 'least',
  setup: () => ({ at: [6, 7, 12, 12], moved: 0 }),
  moves: {
    go: {
      // Only the server computes the move. The client does not compute it in advance.
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
    // The moves of the first second are not counted, because the programs warm up in it.
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
