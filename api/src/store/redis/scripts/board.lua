-- Reads a page of a board. KEYS: ids by score, labels.
-- ARGV: score and id of the line before the page, or '' for the first page; number of lines; id of the own line, or ''.
-- Lines are ordered by score, the highest first, then by id, the greatest first.
local function is_less(one, other)
  for index = 1, 16 do
    local a, b = string.byte(one, index), string.byte(other, index)
    if a ~= b then return a < b end
  end
  return false
end
local function higher(score) return redis.call('ZCOUNT', KEYS[1], '(' .. score, '+inf') end
local first = 0
if ARGV[1] ~= '' then
  -- The page begins among the lines of this score with the first smaller id, or after them.
  local last = redis.call('ZCOUNT', KEYS[1], ARGV[1], '+inf')
  first = higher(ARGV[1])
  while first < last do
    local middle = math.floor((first + last) / 2)
    local id = redis.call('ZREVRANGE', KEYS[1], middle, middle)[1]
    if is_less(id, ARGV[2]) then last = middle else first = middle + 1 end
  end
end
local found = redis.call('ZREVRANGE', KEYS[1], first, first + tonumber(ARGV[3]) - 1, 'WITHSCORES')
local lines = {}
for index = 1, #found, 2 do
  lines[#lines + 1] = found[index]
  lines[#lines + 1] = found[index + 1]
  lines[#lines + 1] = redis.call('HGET', KEYS[2], found[index]) or ''
end
local own = {}
local score = ARGV[4] ~= '' and redis.call('ZSCORE', KEYS[1], ARGV[4])
if score then own = {score, redis.call('HGET', KEYS[2], ARGV[4]) or '', tostring(higher(score))} end
return {redis.call('ZCARD', KEYS[1]), first, #found > 0 and higher(found[2]) or 0, lines, own}
