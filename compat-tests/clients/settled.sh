#!/bin/sh
# Waits until the kernel has reported a device's carrier, because the test shows the device's flags. Argument: the device.
until /sbin/ip link show dev "$1" | grep -q 'state UP'; do sleep 0.1; done
