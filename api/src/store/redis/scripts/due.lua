-- Returns the present time in ms, and then for each task that is due its name and the end of its lease. A lease is in
-- the schedule under the name of its task and '*', at the end of the lease; so deadlines that the task gets meanwhile
-- stay. KEYS: the schedule. ARGV: length of the lease in ms, largest number of tasks, length of the name of a task.
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local taken, answer = {}, {tostring(now)}
for _, name in ipairs(redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])) do
  local task = string.sub(name, 1, ARGV[3])
  local lease = task .. '*'
  if name == task then redis.call('ZREM', KEYS[1], task) end
  if not taken[task] then
    taken[task] = true
    -- The end is later than that of the last lease on the task, so that a process cannot take one lease for the other.
    local before = tonumber(redis.call('ZSCORE', KEYS[1], lease) or 0)
    local ends = string.format('%.0f', math.max(now + ARGV[1], before + 1))
    redis.call('ZADD', KEYS[1], ends, lease)
    answer[#answer + 1] = task
    answer[#answer + 1] = ends
  end
end
return answer
