-- Brings the deliveries of an entity from one version to the next, as long as the entity exists.
-- KEYS: deliveries, entity   ARGV: expected version, next version, value
local version = redis.call('GETRANGE', KEYS[1], 0, 7)
if version == '' then version = string.rep('\0', 8) end
if version ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3])
return 1
