-- Changes of tags announced longer ago than they can still happen.
-- KEYS: unsettled   ARGV: how many ms ago at least, at most how many
local now = redis.call('TIME')
local latest = now[1] * 1000 + math.floor(now[2] / 1000) - ARGV[1]
return redis.call('ZRANGE', KEYS[1], '-inf', latest, 'BYSCORE', 'LIMIT', 0, ARGV[2])
