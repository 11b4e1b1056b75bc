-- Changes nothing of a value: waiting for replicas after it is waiting for all that was written to the key before.
-- Answers what it begins with, which tells it from any other; nothing where there is none.
-- KEYS: the value's
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('APPEND', KEYS[1], '') end
return redis.call('GETRANGE', KEYS[1], 0, 16)
