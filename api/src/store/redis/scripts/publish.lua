-- Publishes a text under a name, unless the name is taken or the idempotency key has a stored answer.
-- KEYS: hash of published names; stored answer. ARGV: name; digest and commit; answer, or '' for none; its expiry.
if ARGV[3] ~= '' then
  local held = redis.call('GET', KEYS[2])
  if held then return {'answered', held} end
end
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return {'taken', redis.call('HGET', KEYS[1], ARGV[1])} end
if ARGV[3] ~= '' then redis.call('SET', KEYS[2], ARGV[3], 'EXAT', ARGV[4]) end
return 1
