-- Reserves the id of an entity for an idempotency key. If an id is reserved already, returns that id.
-- KEYS: reservation. ARGV: id, expiry.
local id = redis.call('GET', KEYS[1])
if id then return id end
redis.call('SET', KEYS[1], ARGV[1], 'EXAT', ARGV[2])
return ARGV[1]
