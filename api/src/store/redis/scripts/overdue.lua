-- Returns notes about changes of tags that are so old that their commits can no longer be made.
-- KEYS: the set of unsettled changes. ARGV: least age in ms, largest number of notes.
local now = redis.call('TIME')
local latest = now[1] * 1000 + math.floor(now[2] / 1000) - ARGV[1]
return redis.call('ZRANGE', KEYS[1], '-inf', latest, 'BYSCORE', 'LIMIT', 0, ARGV[2])
