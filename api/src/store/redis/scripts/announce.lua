-- Notes that the tags of a game are about to change; gives the moment.
-- KEYS: unsettled   ARGV: the change
local now = redis.call('TIME')
local moment = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZADD', KEYS[1], moment, ARGV[1])
return moment
