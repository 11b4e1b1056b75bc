-- Adds a note that the tags of an entity are about to change. Returns the present time in ms.
-- KEYS: the set of unsettled changes. ARGV: the note.
local now = redis.call('TIME')
local moment = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZADD', KEYS[1], moment, ARGV[1])
return moment
