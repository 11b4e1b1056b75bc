-- Pours time into buckets that run dry; answers how long until each is dry. All times are microseconds.
-- KEYS: buckets   ARGV: for each, the time to pour in, and how long ago that began
local now = redis.call('TIME')
now = now[1] * 1000000 + now[2]
local levels = {}
for i, key in ipairs(KEYS) do
  local poured, ago = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local dry_at = math.max(tonumber(redis.call('GET', key) or 0), now - ago) + poured
  levels[i] = math.max(dry_at - now, 0)
  if dry_at > now then
    redis.call('SET', key, string.format('%.0f', dry_at), 'PX', math.ceil((dry_at - now) / 1000))
  end
end
return levels
