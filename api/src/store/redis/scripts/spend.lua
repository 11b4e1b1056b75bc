-- Adds time to buckets, which empty as time passes. Returns how long it takes until each is empty. Times are
-- microseconds.
-- KEYS: buckets. ARGV: for each bucket, the time to add, and how long ago its first request was counted.
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
