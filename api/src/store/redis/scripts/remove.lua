-- Removes all keys of an entity. Returns 1 also if there is no entity, 0 if a version differs, -1 if it is too late.
-- KEYS: entity, deliveries, other keys. ARGV: expected versions of entity and deliveries, latest time in ms.
local version = redis.call('GETRANGE', KEYS[1], 1, 8)
if version == '' then return 1 end
local delivered = redis.call('GETRANGE', KEYS[2], 0, 7)
if delivered == '' then delivered = string.rep('\0', 8) end
if version ~= ARGV[1] or delivered ~= ARGV[2] then return 0 end
local now = redis.call('TIME')
if now[1] * 1000 + now[2] / 1000 > tonumber(ARGV[3]) then return -1 end
redis.call('UNLINK', unpack(KEYS))
return 1
