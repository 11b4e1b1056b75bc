-- Takes games that are due; until the lease is over nobody else is given them. Answers the time in ms, then the games.
-- KEYS: looks   ARGV: lease in ms, at most how many
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local ids = redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, id in ipairs(ids) do redis.call('ZADD', KEYS[1], now + ARGV[1], id) end
table.insert(ids, 1, tostring(now))
return ids
