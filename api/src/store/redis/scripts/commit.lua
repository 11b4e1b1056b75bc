-- One commit of a game: all of it or nothing.
-- KEYS: game, steps, events, answer
-- ARGV: version expected, commit that made it or nothing, latest moment in ms or 0, head of the new value, the commit's
--       id, body of the new value, answer or nothing, when it expires, command and channel for news, number of steps,
--       steps.., events..
if ARGV[7] ~= '' then
  local held = redis.call('GET', KEYS[4])
  if held then return {'answered', held} end
end
local old = redis.call('GETRANGE', KEYS[1], 0, 72)
local version, commits = string.rep('\0', 8), string.rep('\0', 64)
if old ~= '' then version, commits = old:sub(2, 9), old:sub(10, 73) end
-- After Redis lost something, a version may come to be twice.
local differs = ARGV[2] ~= '' and commits:sub(1, 8) ~= ARGV[2]
if version ~= ARGV[1] or differs then return {'stale', redis.call('GET', KEYS[1])} end
if ARGV[3] ~= '0' then
  local now = redis.call('TIME')
  if now[1] * 1000 + now[2] / 1000 > tonumber(ARGV[3]) then return {'late'} end
end
redis.call('SET', KEYS[1], ARGV[4] .. ARGV[5] .. commits:sub(1, 56) .. ARGV[6])
if ARGV[7] ~= '' then redis.call('SET', KEYS[4], ARGV[7], 'EXAT', ARGV[8]) end
-- A thousand at a time: the interpreter's stack is bounded.
local function append(key, first, last)
  local length = 0
  for from = first, last, 1000 do
    length = redis.call('RPUSH', key, unpack(ARGV, from, math.min(from + 999, last)))
  end
  return length
end
local steps = tonumber(ARGV[11])
append(KEYS[2], 12, 11 + steps)
local events = append(KEYS[3], 12 + steps, #ARGV)
if events > 0 then redis.call(ARGV[9], ARGV[10], events) end
return {'done'}
