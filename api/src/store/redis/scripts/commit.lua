-- One commit of a game: all of it or nothing.
-- KEYS: game, steps, events; answer, where there is one
-- ARGV: version and commit that are expected or nothing, the new value, latest moment in ms or 0, command and channel for
--       news, number of steps, answer, when it expires, steps.., events..
if KEYS[4] then
  local held = redis.call('GET', KEYS[4])
  if held then return {'answered', held} end
end
-- The commit, too: after Redis lost something, a version may come to be twice.
if redis.call('GETRANGE', KEYS[1], 1, 16) ~= ARGV[1] then return {'stale', redis.call('GET', KEYS[1])} end
if ARGV[3] ~= '0' then
  local now = redis.call('TIME')
  if now[1] * 1000 + now[2] / 1000 > tonumber(ARGV[3]) then return {'late'} end
end
redis.call('SET', KEYS[1], ARGV[2])
if KEYS[4] then redis.call('SET', KEYS[4], ARGV[7], 'EXAT', ARGV[8]) end
-- A thousand at a time: the interpreter's stack is bounded.
local steps = 8 + ARGV[6]
for from = 9, steps, 1000 do
  redis.call('RPUSH', KEYS[2], unpack(ARGV, from, math.min(from + 999, steps)))
end
local events
for from = steps + 1, #ARGV, 1000 do
  events = redis.call('RPUSH', KEYS[3], unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
if events then redis.call(ARGV[4], ARGV[5], events) end
return {'done'}
