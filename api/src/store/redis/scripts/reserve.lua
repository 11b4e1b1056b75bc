-- Reserves a game's id for an idempotency key, or keeps the reservation that is there.
-- KEYS: reserved   ARGV: id, when it expires
local id = redis.call('GET', KEYS[1])
if id then return id end
redis.call('SET', KEYS[1], ARGV[1], 'EXAT', ARGV[2])
return ARGV[1]
