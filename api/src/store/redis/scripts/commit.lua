-- Makes one commit of an entity as a whole, or not at all.
-- KEYS: entity; list of events; base, if the commit writes one; stored answer, if the request has an idempotency key.
-- ARGV: expected version and last commit, or '' for a new entity; new value of the entity; latest time in ms, or 0 for
-- none; base, or '' for none; answer and its expiry, if there is a key for the answer; then the events.
-- Publishes the number of events on the channel that is named like the list of events.
local first, has_base = 5, ARGV[4] ~= ''
local answer = KEYS[has_base and 4 or 3]
if answer then
  local held = redis.call('GET', answer)
  if held then return {'answered', held} end
  first = 7
end
-- The id of the last commit is compared, too: after Redis has lost data, two different commits may make the same
-- version.
if redis.call('GETRANGE', KEYS[1], 1, 16) ~= ARGV[1] then return {'conflict', redis.call('GET', KEYS[1])} end
if ARGV[3] ~= '0' then
  local now = redis.call('TIME')
  if now[1] * 1000 + now[2] / 1000 > tonumber(ARGV[3]) then return {'late'} end
end
redis.call('SET', KEYS[1], ARGV[2])
if has_base then redis.call('SET', KEYS[3], ARGV[4]) end
if answer then redis.call('SET', answer, ARGV[5], 'EXAT', ARGV[6]) end
-- Events are appended a thousand at a time, because the stack of the Lua interpreter is bounded.
local events
for from = first, #ARGV, 1000 do
  events = redis.call('RPUSH', KEYS[2], unpack(ARGV, from, math.min(from + 999, #ARGV)))
end
if events then redis.call('PUBLISH', KEYS[2], events) end
return 1
