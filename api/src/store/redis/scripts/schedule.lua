-- Gives a task this deadline, unless the task has an earlier one.
-- KEYS: the schedule. ARGV: deadline in ms, task.
return redis.call('ZADD', KEYS[1], 'LT', ARGV[1], ARGV[2])
