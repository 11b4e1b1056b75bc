-- Gives a task a deadline unless it has an earlier one.
-- KEYS: schedule   ARGV: deadline in ms, task
return redis.call('ZADD', KEYS[1], 'LT', ARGV[1], ARGV[2])
