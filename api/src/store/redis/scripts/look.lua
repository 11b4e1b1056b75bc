-- Looks at a game then at the latest.
-- KEYS: looks   ARGV: when in ms, game
return redis.call('ZADD', KEYS[1], 'LT', ARGV[1], ARGV[2])
