-- Notes of tag changes that are too old for their commits to be on their way.
-- KEYS: unsettled   ARGV: least age in ms, most notes
local now = redis.call('TIME')
local latest = now[1] * 1000 + math.floor(now[2] / 1000) - ARGV[1]
return redis.call('ZRANGE', KEYS[1], '-inf', latest, 'BYSCORE', 'LIMIT', 0, ARGV[2])
