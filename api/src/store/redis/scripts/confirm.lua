-- Writes to a key without changing its value. A `WAIT` after this write waits until replicas have all earlier writes,
-- too. Returns the first bytes of the value, which distinguish it from all other values of the key; '' if there is no
-- value.
-- KEYS: the key.
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('APPEND', KEYS[1], '') end
return redis.call('GETRANGE', KEYS[1], 0, 16)
