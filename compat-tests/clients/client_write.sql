.output '|ip -batch -'
SELECT 'addr add 10.9.1.' || value || '/24 dev br0' FROM generate_series(1, 20);
.output
.output '|bridge -batch -'
SELECT 'fdb add 02:00:00:00:00:99 dev v1 self';
.output
