-- One commit of an entity: all of it or nothing.
-- KEYS: entity, events; answer, if there is one
-- ARGV: expected version and commit, or nothing; the new value; latest moment in ms, or 0; answer and its expiry, if
--       there is one; events..
-- The number of events is published on the channel that is named as their list.
local first = 4
if KEYS[3] then
  local held = redis.call('GET', KEYS[3])
  if held then return {'answered', held} end
  first = 6
end
-- The commit is compared too: after Redis has lost something, a version may be made twice.
if redis.call('GETRANGE', KEYS[1], 1, 16) ~= ARGV[1] then return {'conflict', redis.call('GET', KEYS[1])} end
if ARGV[3] ~= '0' then
  local now = redis.call('TIME')
  if now[1] * 1000 + now[2] / 1000 > tonumber(ARGV[3]) then return {'late'} end
end
redis.call('SET', KEYS[1], ARGV[2])
if KEYS[3] then redis.call('SET', KEYS[3], ARGV[4], 'EXAT', ARGV[5]) end
-- A thousand at a time: the interpreter's stack is bounded.
local events
for from = first, #ARGV, 1000 do
  events = redis.call('RPUSH', KEYS[2], unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
if events then redis.call('PUBLISH', KEYS[2], events) end
return 1
