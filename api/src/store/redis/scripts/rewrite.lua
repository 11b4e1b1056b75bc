-- Replaces events that still are those that the caller has read.
-- KEYS: list of events. ARGV: for each event its index in the list, the event as it was read, the event in its place.
for at = 1, #ARGV, 3 do
  if redis.call('LINDEX', KEYS[1], ARGV[at]) == ARGV[at + 1] then
    redis.call('LSET', KEYS[1], ARGV[at], ARGV[at + 2])
  end
end
return 1
