-- Takes tasks whose deadline has come; until the lease ends nobody else is given them. Answers the time in ms, then tasks.
-- KEYS: schedule   ARGV: lease in ms, most tasks
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local tasks = redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, task in ipairs(tasks) do redis.call('ZADD', KEYS[1], now + ARGV[1], task) end
table.insert(tasks, 1, tostring(now))
return tasks
