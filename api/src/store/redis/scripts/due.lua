-- Returns the present time in ms and the tasks that are due. Leases the tasks by giving them later deadlines.
-- KEYS: the schedule. ARGV: length of the lease in ms, largest number of tasks.
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local tasks = redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, task in ipairs(tasks) do redis.call('ZADD', KEYS[1], now + ARGV[1], task) end
table.insert(tasks, 1, tostring(now))
return tasks
