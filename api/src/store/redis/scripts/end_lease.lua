-- Ends the lease on a task, unless the lease has ended before. Gives the task a deadline, unless the task has an
-- earlier deadline.
-- KEYS: the schedule. ARGV: task, end of the lease in ms, deadline in ms or '' for none.
local lease = ARGV[1] .. '*'
if tonumber(redis.call('ZSCORE', KEYS[1], lease) or 0) == tonumber(ARGV[2]) then redis.call('ZREM', KEYS[1], lease) end
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[1], 'LT', ARGV[3], ARGV[1]) end
return 1
