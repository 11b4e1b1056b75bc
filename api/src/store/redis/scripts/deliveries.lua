-- Writes the next version of an entity's deliveries. Returns 0 if they are at another version, or there is no entity.
-- A write whose answer was lost is sent again: it finds its own value, and is done.
-- KEYS: deliveries, entity. ARGV: expected version, next version, value.
local version = redis.call('GETRANGE', KEYS[1], 0, 7)
if version == '' then version = string.rep('\0', 8) end
if version == ARGV[2] and redis.call('GET', KEYS[1]) == ARGV[2] .. ARGV[3] then return 1 end
if version ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3])
return 1
