-- Replaces events of an entity. An event that has changed since the caller read it is not replaced.
-- KEYS: list of events. ARGV: for each event its index in the list, the event as the caller read it, the new event.
for at = 1, #ARGV, 3 do
  if redis.call('LINDEX', KEYS[1], ARGV[at]) == ARGV[at + 1] then
    redis.call('LSET', KEYS[1], ARGV[at], ARGV[at + 2])
  end
end
return 1
