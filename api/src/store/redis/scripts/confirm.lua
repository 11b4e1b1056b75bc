-- Writes nothing to a game: waiting for replicas after it is waiting for all that was written to the game before.
-- KEYS: game
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('APPEND', KEYS[1], '') end
return 1
