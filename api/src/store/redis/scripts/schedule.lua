-- Gives a task this deadline, unless the task has an earlier one. Returns the time in ms until the task is due.
-- KEYS: the schedule. ARGV: deadline in ms, task.
redis.call('ZADD', KEYS[1], 'LT', ARGV[1], ARGV[2])
local now = redis.call('TIME')
return math.floor(redis.call('ZSCORE', KEYS[1], ARGV[2]) - now[1] * 1000 - now[2] / 1000)
