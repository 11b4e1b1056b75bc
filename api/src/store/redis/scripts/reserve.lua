-- Reserves an entity's id for an idempotency key; answers the id that is reserved, which may be an earlier one.
-- KEYS: reservation   ARGV: id, expiry
local id = redis.call('GET', KEYS[1])
if id then return id end
redis.call('SET', KEYS[1], ARGV[1], 'EXAT', ARGV[2])
return ARGV[1]
