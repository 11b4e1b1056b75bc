-- Sets the expiry of a reservation. Returns 0 if another id is reserved under this key.
-- KEYS: reservation. ARGV: id, expiry.
local id = redis.call('GET', KEYS[1])
if id and id ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EXAT', ARGV[2])
return 1
