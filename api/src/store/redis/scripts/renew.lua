-- Lets a reservation live longer; 0 where the key has another one by now.
-- KEYS: reserved   ARGV: id, when it expires
local id = redis.call('GET', KEYS[1])
if id and id ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'EXAT', ARGV[2])
return 1
